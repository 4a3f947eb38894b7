// Stands in for the checksums of @ethereumjs/common: they are for fork ids among nodes.

/** @throws {Error} Always: the snap has no peers. */
export function crc32(): never {
  throw new Error('Fork ids are not computed here.');
}
