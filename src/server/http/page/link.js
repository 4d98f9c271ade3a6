// The page's connection to the engine, which begins before the other modules are there, and asks at once what games there are.

import { Engine } from "./engine.js";

/** The address of one of the server's protocols. */
export const address = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${path}${location.search}`;

export const engine = new Engine(address("gtp"), ["losange-games", "name", "version"]);
