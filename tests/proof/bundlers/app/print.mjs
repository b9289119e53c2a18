import { result } from "./host.mjs";

console.log(await result());
