// Jest's module loader, except that Node loads the packages: once for each of Jest's processes instead of
// once for each test file. Tests then have to run in Node's realm. Our own modules are still loaded for
// each file.
const { default: Runtime } = require('jest-runtime');

module.exports = class extends Runtime {
  createScriptFromCode(code, path) {
    const script = super.createScriptFromCode(code, path);
    return { runInContext: () => script.runInThisContext() };
  }

  requireModule(...args) {
    const [from, name, options, isActual] = args;
    // Jest's own modules, and those of tests that replace packages.
    const isSeparate =
      options?.isInternalModule || isActual || this._isolatedModuleRegistry;
    if (!isSeparate && name && !this._resolver.isCoreModule(name)) {
      const path = this._resolveCjsModule(from, name);
      if (path.includes('/node_modules/')) return require(path);
    }
    return super.requireModule(...args);
  }
};
