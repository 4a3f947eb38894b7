// Takes out of @ethereumjs/util a table of the first 65,536 bigints that it fills when it is
// loaded: that takes as long as evaluating a third of the bundle, and BigInt() is as quick.

const FILLING = /const BIGINT_CACHE = \[\];\nfor \([^{]*\{\n.*\n\}\n/u;
const READING = /BIGINT_CACHE\[(bytes\[0\](?: \* 256 \+ bytes\[1\])?)\]/gu;

/**
 * @this {{ resourcePath: string }}
 * @param {string} source
 */
// oxlint-disable-next-line import/no-default-export -- The form in which webpack takes it.
export default function withoutTable(source) {
  const written = source.replace(FILLING, '').replace(READING, 'BigInt($1)');
  if (written.includes('BIGINT_CACHE') || written === source) {
    throw new Error(`${this.resourcePath} has another table of bigints than expected.`);
  }
  return written;
}
