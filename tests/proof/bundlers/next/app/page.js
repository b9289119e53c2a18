import { result } from "../host.mjs";
import Client from "./client";

export const dynamic = "force-dynamic";

export default async () => <Client onServer={await result()} />;
