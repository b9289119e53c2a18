// The entry with the module inside, for bundlers that know no other files.
import { selftest } from "perlane/sync";

const result = String(selftest().ok);
if (typeof document === "object") document.documentElement.dataset.result = result;
else console.log(result);
