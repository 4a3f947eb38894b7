// A Jest environment that uses Node's own realm, so that test files can share loaded packages. It
// restores the globals and environment variables that a file changes.
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

class FakeTimers extends ModernFakeTimers {
  // Node's streams and fetch need the real nextTick and queueMicrotask.
  useFakeTimers({ doNotFake = [], ...config } = {}) {
    super.useFakeTimers({
      ...config,
      doNotFake: [...doNotFake, 'nextTick', 'queueMicrotask'],
    });
  }
}

// oxlint-disable-next-line import/no-default-export -- The form in which Jest takes it.
export default class extends TestEnvironment {
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #variables = { ...process.env };

  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new FakeTimers({
      config: config.projectConfig,
      global: globalThis,
    });
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.hasOwn(this.#globals, key)) Reflect.deleteProperty(globalThis, key);
    }
    Object.defineProperties(globalThis, this.#globals);
    for (const key of Object.keys(process.env)) {
      if (!Object.hasOwn(this.#variables, key)) delete process.env[key];
    }
    Object.assign(process.env, this.#variables);
  }
}
