// SPDX-License-Identifier: MIT
//
// A pool of workers. Each has at most two jobs: the one that it does, and the next one, so that it
// need not wait for this thread. All others are chosen later, by what is visible then; jobs that are
// no longer wanted are never sent.

export class Pool {
  #idle = [];
  #running = new Map(); // id -> { done, failed }
  #queue = []; // jobs that must all be done, in order
  #ids = 0;

  source = () => undefined; // returns the next tile's { message, done, failed }, or nothing

  /** The workers wait for the module, which is a promise. */
  constructor(module, workers) {
    this.size = workers.length;
    for (const worker of workers) {
      worker.onmessage = ({ data }) => this.#finish(worker, data);
      worker.onerror = (event) => {
        event.preventDefault();
        console.error(`worker: ${event.message ?? "could not be started"}`);
      };
    }
    module.then(
      (compiled) => {
        for (const worker of workers) worker.postMessage({ module: compiled });
        this.#idle.push(...workers, ...workers); // a place for each job
        this.wake();
      },
      () => {}, // the page reports it
    );
  }

  /** Sends a job as soon as a worker is free, before any tile. */
  run(message) {
    return new Promise((done, failed) => {
      this.#queue.push({ message, done, failed });
      this.wake();
    });
  }

  /** Awaits use(from, count) of parts of a number of rows, so many that all workers take part. */
  bands(rows, use) {
    const count = Math.min(4 * this.size, rows);
    const edge = (i) => Math.floor((i * rows) / count);
    return Promise.all(
      Array.from({ length: count }, (_, i) => use(edge(i), edge(i + 1) - edge(i))),
    );
  }

  wake() {
    while (this.#idle.length) {
      const job = this.#queue.shift() ?? this.source();
      if (!job) return;
      this.#running.set(++this.#ids, job);
      this.#idle.shift().postMessage({ ...job.message, id: this.#ids });
    }
  }

  #finish(worker, { id, result, error }) {
    const job = this.#running.get(id);
    if (!job) return;
    this.#running.delete(id);
    this.#idle.push(worker);
    if (error === undefined) job.done(result);
    else job.failed(new Error(error));
    this.wake();
  }
}
