// The words of activity entries, for content that viem encodes.
import { parseEther } from 'viem';
import type { Hex } from 'viem';

import { encodeIntents } from '../../../src/eth/account-calls';
import { findKnownChain } from '../../../src/eth/chain';
import { DETERMINISTIC_DEPLOYER } from '../../../src/eth/user-operation';
import {
  readOperationSteps,
  readTransactionSteps,
  writeSent,
} from '../../../src/home/sent-words';
import type { SentContent, SentStep } from '../../../src/home/sent-words';
import { findExplorerPage } from '../../../src/ui/explorers';
import { toShortHex } from '../../../src/ui/format';
import { dataOf } from '../../fixtures/trust/call';
import { translate } from '../../support/view';

const FROM = '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063';
const TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const OTHER = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const ZERO = '0x0000000000000000000000000000000000000000';

const write = (steps: SentStep[] | undefined, fields: Partial<SentContent> = {}) =>
  writeSent(
    {
      chain: 'eip155:1',
      isOperation: false,
      isCancellation: false,
      to: TO,
      value: 0n,
      steps,
      ...fields,
    },
    { translate, chain: 'eip155:1', toAddress: toShortHex },
  );

const writeCall = (to: Hex | null, data: Hex, value = 0n): string =>
  write(readTransactionSteps({ from: FROM, to, value, data }, {}));

const erc20 = (name: 'approve' | 'transfer', amount: bigint): Hex =>
  dataOf(`${name}(address,uint256)`, TO, amount);

const transferFrom = (from: Hex): Hex =>
  dataOf('transferFrom(address,address,uint256)', from, TO, 5n);

const approveAll = (isApproved: boolean): Hex =>
  dataOf('setApprovalForAll(address,bool)', TO, isApproved);

const increase = (amount: bigint): Hex =>
  dataOf('increaseAllowance(address,uint256)', TO, amount);

const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)';

const permit = (owner: Hex): Hex =>
  dataOf(PERMIT, owner, TO, 5n, 1n, 27, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`);

describe('the words for a transaction', () => {
  it.each<[string, Hex | null, Hex, bigint?]>([
    ['Sent 1.25 ETH to 0x7099…79c8', TO, '0x', parseEther('1.25')],
    ['Sent 1.5 USDC to 0x7099…79c8', USDC, erc20('transfer', 1_500_000n)],
    ['Sent 0x5fbd…0aa3 tokens to 0x7099…79c8', OTHER, erc20('transfer', 5n)],
    ['Sent 0x5fbd…0aa3 tokens to 0x7099…79c8', OTHER, transferFrom(FROM)],
    ['Moved USDC tokens from 0x5fbd…0aa3 to 0x7099…79c8', USDC, transferFrom(OTHER)],
    ['Allowed 0x7099…79c8 to spend USDC', USDC, erc20('approve', 5n)],
    ['Allowed 0x7099…79c8 to spend USDC', USDC, erc20('approve', 5n), 1n],
    ['Allowed 0x7099…79c8 to spend 0x5fbd…0aa3', OTHER, erc20('approve', 5n)],
    ['Allowed 0x7099…79c8 to spend 0x5fbd…0aa3', OTHER, approveAll(true)],
    ['Revoked the allowance of 0x7099…79c8 for USDC', USDC, erc20('approve', 0n)],
    ['Revoked the allowance of 0x7099…79c8 for 0x5fbd…0aa3', OTHER, approveAll(false)],
    ['Allowed 0x7099…79c8 to spend USDC', USDC, permit(FROM)],
    ['Called permit on 0xa0b8…eb48', USDC, permit(OTHER)],
    // The call may approve the NFT with the id 0.
    ['Called approve on 0x5fbd…0aa3', OTHER, erc20('approve', 0n)],
    ['Called increaseAllowance on 0xa0b8…eb48', USDC, increase(0n)],
    ['Called deposit on 0x5fbd…0aa3', OTHER, '0xd0e30db0', 1n],
    ['Called 0x5fbd…0aa3', OTHER, '0x01020304'],
    ['Deployed a contract', null, '0x6001'],
    ['Deployed a contract', DETERMINISTIC_DEPLOYER, `0x${'00'.repeat(32)}6001`],
  ])('are “%s”', (words, ...call) => {
    expect(writeCall(...call)).toBe(words);
  });

  it("name the account's own delegation, and no other", () => {
    const transaction = { from: FROM, to: FROM, value: 0n, data: '0x' } as const;
    const steps = (address: Hex, isOwn: boolean): SentStep[] =>
      readTransactionSteps(
        { ...transaction, authorizationList: [{ address, r: 1n }] },
        isOwn ? { usesNextNonce: true } : {},
      );
    expect([
      write(steps(OTHER, true)),
      write(steps(ZERO, true)),
      write(steps(OTHER, false)),
    ]).toStrictEqual([
      'Delegated the account to 0x5fbd…0aa3',
      "Revoked the account's delegation",
      'Sent 0 ETH to 0x8f3c…a063',
    ]);
  });

  it('come from the stored entry if the signed content is not stored', () => {
    const isOperation = true;
    expect([
      write(undefined, { value: 10n ** 18n }),
      write(undefined),
      write(undefined, { to: null }),
      write(undefined, { to: null, isOperation }),
      write(undefined, { isCancellation: true }),
    ]).toStrictEqual([
      'Sent 1 ETH to 0x7099…79c8',
      'Called 0x7099…79c8',
      'Deployed a contract',
      'Several calls',
      'Cancelled a transaction',
    ]);
  });
});

describe("the words for an account's calls", () => {
  const payment = { to: TO, value: 10n ** 18n, data: '0x' } as const;
  const approval = { to: USDC, value: 0n, data: erc20('approve', 5n) } as const;

  it.each(['0.6', '0.7', '0.8', '0.9', 'safe'] as const)(
    'come from the calls of a user operation (%s)',
    (contract) => {
      const calls = contract === '0.6' ? [approval, approval] : [payment, approval];
      const read = (all: Parameters<typeof encodeIntents>[1]): string =>
        write(
          readOperationSteps({
            sender: FROM,
            callData: encodeIntents(contract, all),
          }),
        );
      expect([read([payment]), read([approval]), read(calls)]).toStrictEqual([
        'Sent 1 ETH to 0x7099…79c8',
        'Allowed 0x7099…79c8 to spend USDC',
        'Sent 2 calls',
      ]);
    },
  );

  it('come from the batch that a delegated account sends to itself', () => {
    const data = encodeIntents('0.8', [payment, approval]);
    expect(writeCall(FROM, data)).toBe('Sent 2 calls');
  });

  it('say when an operation has no calls or cannot be read', () => {
    const read = (callData: Hex): string =>
      write(readOperationSteps({ sender: FROM, callData }));
    expect([read('0x'), read('0x01020304')]).toStrictEqual([
      'Sent 0 calls',
      'Called 0x8f3c…a063',
    ]);
  });
});

describe('the link to an explorer', () => {
  it('exists only for chains with an explorer, and uses https', () => {
    const page = findExplorerPage('eip155:8453', '0x12');
    expect(page).toBe('https://basescan.org/tx/0x12');
    expect(findExplorerPage('eip155:31337', '0x12')).toBeUndefined();
    expect(findKnownChain('eip155:31337')).toBeDefined();
  });
});
