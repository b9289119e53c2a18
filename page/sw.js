// SPDX-License-Identifier: MIT
//
// The page's service worker: keeps a copy of the page's files, so that it works offline. All of them
// are of one build; those of the next one are used when no tab shows the page any more.

const FILES = [/* files */];
const NAME = `${registration.scope} /* digest */`;

addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith(`${registration.scope} `) && name !== NAME) await caches.delete(name);
  await clients.claim(); // the tab that opened the page for the first time
}
addEventListener("activate", (event) => event.waitUntil(activate()));

async function answer(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope))
    event.respondWith(answer(event.request));
});
