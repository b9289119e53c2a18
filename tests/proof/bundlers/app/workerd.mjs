import { result } from "./host.mjs";

export default { fetch: async () => new Response(await result().catch(String)) };
