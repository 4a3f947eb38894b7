// Facts about calls that come from the chain: whether their results depend on the block, and
// whether their contracts can be upgraded.
import type { Hex } from 'viem';

import { createNodeClient } from '../../../packages/client/src';
import { noteUpgradeable, checkBlockDependence } from '../../../src/review/facts';
import { readCall } from '../../../src/review/read';
import { info } from '../../../src/ui/warnings';
import { transactionOf } from '../../fixtures/trust/call';
import { USDC } from '../../fixtures/trust/document';

const CONTRACT: Hex = '0x00000000000000000000000000000000000000cc';

it.each([
  [20, false],
  [21, true],
])(
  'assumes that %i calls with constant results depend on the block: %j',
  async (count, differs) => {
    const node = createNodeClient({
      label: 'the node',
      request: async () => Promise.resolve('0x'),
    });
    const calls = Array.from({ length: count }, () => ({
      to: CONTRACT,
      data: '0x12' as Hex,
    }));
    const other = checkBlockDependence(calls, node, 0);
    await other.pending();
    expect(other.now()).toBe(differs);
  },
);

it('notes upgradeable contracts, except well-known and described ones', () => {
  const call = readCall(transactionOf({ to: CONTRACT, data: '0x12345678' }));
  const known = readCall(transactionOf({ to: USDC, data: '0x12345678' }));
  const description = { intent: 'run', fields: [], omitted: 0, calls: [], stated: [] };
  const notes = noteUpgradeable(
    [known, { ...call, description }, call],
    [CONTRACT, USDC],
    1n,
  );
  const upgradeable = info('alert.upgradeable', { address: CONTRACT });
  expect(notes).toStrictEqual([{ number: 3, warning: upgradeable }]);
});
