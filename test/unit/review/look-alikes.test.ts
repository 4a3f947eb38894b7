import { getAddress } from 'viem';

import { findLookAlikes } from '../../../src/review/look-alikes';
import { knownContracts } from '../../../src/ui/names';
import { danger } from '../../../src/ui/warnings';

const KNOWN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const POISON = '0xf39f000000000000000000000000000000002266';

describe('findLookAlikes', () => {
  it('finds an address that has the ends of a known one', () => {
    expect(
      findLookAlikes([POISON, POISON.toUpperCase() as '0x'], [KNOWN]),
    ).toStrictEqual([
      danger('warning.lookAlike', { address: POISON.toUpperCase(), known: KNOWN }),
    ]);
  });

  it.each([
    ['the known one itself', KNOWN],
    ['it in small letters', KNOWN.toLowerCase()],
    ['one with another beginning', '0xf38f000000000000000000000000000000002266'],
    ['one with another end', '0xf39f000000000000000000000000000000002267'],
  ])('does not find %s', (_what, address) => {
    expect(findLookAlikes([address as '0x'], [KNOWN])).toStrictEqual([]);
  });

  it('does not find what is known though it resembles another', () => {
    expect(findLookAlikes([POISON], [KNOWN, POISON])).toStrictEqual([]);
  });
});

describe('what is known', () => {
  it.each(knownContracts)('has its checksum: %s', (address) => {
    expect(getAddress(address)).toBe(address);
  });

  it('has no two contracts that resemble each other', () => {
    const found = knownContracts.flatMap((each) =>
      findLookAlikes(
        [each],
        knownContracts.filter((other) => other !== each),
      ),
    );
    expect(found).toStrictEqual([]);
  });
});
