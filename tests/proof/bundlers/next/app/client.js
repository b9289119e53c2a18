"use client";
import { useEffect } from "react";

import { result } from "../host.mjs";

export default ({ onServer }) => {
  useEffect(() => {
    result()
      .catch(String)
      .then((inPage) => (document.documentElement.dataset.result = `${onServer} ${inPage}`));
  });
  return onServer;
};
