// Skips all tests of a project that needs what this platform lacks; jest.config.js says what.
globalThis.it = globalThis.it.skip;
globalThis.test = globalThis.it;
