// Skips all tests of a project whose requirements are missing; jest.config.js says which.
globalThis.it = globalThis.it.skip;
globalThis.test = globalThis.it;
