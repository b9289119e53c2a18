// SPDX-License-Identifier: MIT

/** The address of the module, with a bundler's loader for files: for init(fetch(address)). */
declare const address: string;
export default address;
