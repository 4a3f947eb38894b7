// Skips all tests of a Jest project whose requirements are missing; see jest.config.js.
globalThis.it = globalThis.it.skip;
globalThis.test = globalThis.it;
