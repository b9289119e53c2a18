// SPDX-License-Identifier: MIT
//
// Moves the map: pointers, the wheel, and keys.

import { onKeys } from "./dom.js";

const WHEEL = 100; // pixels of scrolling for a level
const MAX_LEVELS = 2; // of one turn of the wheel
const HAND = 64; // pixels that an arrow key moves

export function listen(canvas, map) {
  const pointers = new Map();
  let pinch; // { distance, x, y, scale }

  const local = (event) => map.local(event);
  // Pointers are followed on the screen: the page may move the map while it is held.
  const onScreen = ({ clientX, clientY }) => [
    clientX * devicePixelRatio,
    clientY * devicePixelRatio,
  ];
  const inMap = (x, y) => local({ clientX: x / devicePixelRatio, clientY: y / devicePixelRatio });
  const measure = () => {
    const [[ax, ay], [bx, by]] = [...pointers.values()];
    return {
      distance: Math.max(Math.hypot(ax - bx, ay - by), 1),
      x: (ax + bx) / 2,
      y: (ay + by) / 2,
    };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, onScreen(event));
    if (pointers.size === 2) pinch = { ...measure(), scale: 1 };
    canvas.classList.add("held");
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [x, y] = onScreen(event);
    if (pointers.size === 1) {
      const dx = Math.round(x - before[0]);
      const dy = Math.round(y - before[1]);
      if (!dx && !dy) return;
      pointers.set(event.pointerId, [before[0] + dx, before[1] + dy]); // the rest moves it later
      map.pan(dx, dy);
      return;
    }
    pointers.set(event.pointerId, [x, y]);
    if (pointers.size !== 2 || !pinch) return;
    const now = measure();
    map.pan(now.x - pinch.x, now.y - pinch.y);
    const middle = inMap(now.x, now.y);
    let scale = (pinch.scale * now.distance) / pinch.distance;
    if (scale > 1.5 && map.zoomBy(-1, ...middle, false)) scale /= 2;
    else if (scale < 0.7 && map.zoomBy(1, ...middle, false)) scale *= 2;
    scale = Math.min(Math.max(scale, 0.5), 2);
    pinch = { ...now, scale };
    map.hold(scale, ...middle);
  });

  const lift = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pinch) {
      pinch = undefined;
      map.release();
    }
    if (!pointers.size) canvas.classList.remove("held");
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);

  let scrolled = 0;
  let last = 0;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      if (event.timeStamp - last > 400) scrolled = 0;
      last = event.timeStamp;
      const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 300 : 1;
      scrolled += event.deltaY * unit * (event.ctrlKey ? 4 : 1);
      const levels = Math.trunc(scrolled / WHEEL);
      scrolled -= levels * WHEEL;
      if (levels) map.zoomBy(Math.min(Math.max(levels, -MAX_LEVELS), MAX_LEVELS), ...local(event));
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", (event) => map.zoomBy(-1, ...local(event)));
}

/** Keys of the map; goHome() is for the Home key. */
export function listenToKeys(canvas, map, goHome) {
  const pan = (x, y) => (event) => {
    const far = event.shiftKey ? 8 * HAND : HAND;
    map.pan(x * far, y * far);
  };
  onKeys(canvas, {
    ArrowLeft: pan(1, 0),
    ArrowRight: pan(-1, 0),
    ArrowUp: pan(0, 1),
    ArrowDown: pan(0, -1),
    "+": () => map.zoomBy(-1),
    "=": () => map.zoomBy(-1),
    "-": () => map.zoomBy(1),
    Home: goHome,
  });
}
