import { getAddress } from 'viem';

import type { Hex } from '../../../src/eth/hex';
import { findFirstPayments, findLookAlikes } from '../../../src/review/findings';
import { readCall } from '../../../src/review/read';
import { knownContracts } from '../../../src/ui/tokens';

const KNOWN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const POISON = '0xf39f000000000000000000000000000000002266';

describe('findLookAlikes', () => {
  it.each([
    ['the known one itself', KNOWN],
    ['it in small letters', KNOWN.toLowerCase()],
    ['one with another beginning', '0xf38f000000000000000000000000000000002266'],
    ['one with another end', '0xf39f000000000000000000000000000000002267'],
  ])('does not find %s', (_what, address) => {
    expect(findLookAlikes([address as '0x'], [KNOWN])).toStrictEqual([]);
  });

  it('does not find a known address that resembles another', () => {
    expect(findLookAlikes([POISON], [KNOWN, POISON])).toStrictEqual([]);
  });
});

describe('known addresses', () => {
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

describe('a first payment', () => {
  const FROM = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const OLD = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
  const NEW = '0xcccccccccccccccccccccccccccccccccccccccc';
  const pay = (to: Hex, value = 1n, data: Hex = '0x') =>
    readCall({ from: FROM, to, value, data });
  const find = (calls: ReturnType<typeof pay>[], recipients: Hex[]) =>
    findFirstPayments(calls, { own: [], all: [FROM, ...recipients], recipients }).map(
      ({ values }) => values?.address,
    );

  it('is shown once for a recipient that the activity does not have', () => {
    const calls = [pay(NEW), pay(OLD), pay(NEW), pay(FROM)];
    expect(find(calls, [OLD])).toStrictEqual([NEW]);
  });

  it('is not shown without activity or value, or for a call', () => {
    expect(find([pay(NEW)], [])).toStrictEqual([]);
    const calls = [pay(NEW, 0n), pay(NEW, 1n, '0x12345678')];
    expect(find(calls, [OLD])).toStrictEqual([]);
  });
});
