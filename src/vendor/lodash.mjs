// Replaces lodash in the client's module: @metamask/utils takes its memoize, and
// nothing else of the 220 kB. Callers choose the keys of the cache, so there is a limit.

/** Most results that a function remembers. */
const MAX_KNOWN = 10_000;

const memoize = (/** @type {(argument: unknown) => unknown} */ compute) => {
  const known = new Map();
  return (/** @type {unknown} */ argument) => {
    if (known.size >= MAX_KNOWN) known.clear();
    if (!known.has(argument)) known.set(argument, compute(argument));
    return known.get(argument);
  };
};

// oxlint-disable-next-line import/no-default-export -- The form in which it is imported.
export default { memoize };
