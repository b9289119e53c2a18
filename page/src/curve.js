// SPDX-License-Identifier: MIT
//
// A small drawing of a curve of values, as a hint; the library evaluates the curve itself.

export function drawCurve(canvas, text, shape) {
  const points = text.split(",").map((point) => point.split(":").map(Number));
  const context = canvas.getContext("2d");
  const { width, height } = canvas;
  const style = getComputedStyle(canvas);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right] = [Math.min(-1, ...xs), Math.max(1, ...xs)];
  const [low, high] = [Math.min(-1, ...ys), Math.max(1, ...ys)];
  const px = (x) => 4 + ((x - left) / (right - left)) * (width - 8);
  const py = (y) => height - 4 - ((y - low) / (high - low)) * (height - 8);
  context.clearRect(0, 0, width, height);
  context.strokeStyle = style.borderColor;
  context.strokeRect(0.5, 0.5, width - 1, height - 1);
  context.strokeStyle = style.color;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(px(left), py(ys[0]));
  for (let i = 0; i < points.length; i++) {
    const [x, y] = points[i];
    if (i > 0 && shape === "smooth") {
      const [x0, y0] = points[i - 1];
      for (let t = 0.05; t < 1; t += 0.05) context.lineTo(px(x0 + t * (x - x0)), py(y0 + t * t * (3 - 2 * t) * (y - y0)));
    }
    context.lineTo(px(x), py(y));
  }
  context.lineTo(px(right), py(ys.at(-1)));
  context.stroke();
  context.fillStyle = style.color;
  for (const [x, y] of points) context.fillRect(px(x) - 3, py(y) - 3, 6, 6);
}
