// SPDX-License-Identifier: MIT
//
// A pool of workers. Each has at most two jobs: the one that it does, and the next one, so that it
// need not wait for this thread. All others are chosen later, by what is visible then; jobs that are
// no longer wanted are never sent.

export class Pool {
  #idle = [];
  #running = new Map(); // id -> { worker, done, failed }
  #queue = []; // jobs that must all be done, in order
  #ids = 0;
  #source = () => undefined;

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

  /** Sets the function that returns a worker's next tile as { message, done }, false if others have one, or nothing. */
  setSource(source) {
    this.#source = source;
  }

  /** Sends a job as soon as a worker is free, before any tile. */
  run(message, transfer = []) {
    return new Promise((done, failed) => {
      this.#queue.push({ message, transfer, done, failed });
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
    for (const worker of [...this.#idle].reverse()) {
      const job = this.#queue.shift() ?? this.#source(worker);
      if (job === false) continue;
      if (!job) return;
      this.#idle.splice(this.#idle.lastIndexOf(worker), 1);
      const id = ++this.#ids;
      this.#running.set(id, job);
      worker.postMessage({ ...job.message, id }, job.transfer ?? []);
    }
  }

  #finish(worker, { id, result, error }) {
    const job = this.#running.get(id);
    if (!job) return;
    this.#running.delete(id);
    this.#idle.push(worker);
    if (error === undefined) job.done(result);
    else if (job.failed) job.failed(new Error(error));
    this.wake();
  }
}
