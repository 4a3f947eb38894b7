// Which verifiers accept signatures of which accounts, and why others do not.
// test/live/verification.test.ts tries every pair on a real chain.
import { entryPointVersions } from '../../src/core/entry-points';

export const judges = {
  verifyMessage: "viem's `verifyMessage`",
  verifyTypedData: "viem's `verifyTypedData`",
  verifySiweMessage: "viem's `verifySiweMessage`",
  validator: 'a universal validator contract (ERC-6492)',
  permit: "a token's `permit` (ERC-2612)",
  permit2: 'Permit2',
  payment: 'an x402 `exact` payment (EIP-3009)',
} as const;

export type Judge = keyof typeof judges;

/** A kind of account. `refusals` are the reasons for which verifiers refuse its signatures. */
export type Kind = { title: string; refusals: Partial<Record<Judge, string>> };

const NO_CONTRACT =
  'the contract that checks the signature does not know ERC-6492: deploy the account first';

const NO_ERC_1271 = 'SimpleAccount has no ERC-1271, so Tollkeeper does not sign';

const refusals = Object.fromEntries(
  Object.keys(judges).map((judge) => [judge, NO_ERC_1271]),
);

export const kinds: Readonly<Record<string, Kind>> = {
  eoa: { title: 'EOA', refusals: {} },
  'eoa 0.8': { title: 'EOA with a delegation, EntryPoint 0.8', refusals: {} },
  'eoa 0.9': { title: 'EOA with a delegation, EntryPoint 0.9', refusals: {} },
  'safe new': {
    title: 'Safe, EntryPoint 0.7, not deployed',
    refusals: { permit: NO_CONTRACT, permit2: NO_CONTRACT },
  },
  safe: { title: 'Safe, EntryPoint 0.7', refusals: {} },
  ...Object.fromEntries(
    entryPointVersions.flatMap((version) => {
      const title = `SimpleAccount, EntryPoint ${version}`;
      return [
        [`simple ${version} new`, { title: `${title}, not deployed`, refusals }],
        [`simple ${version}`, { title, refusals }],
      ];
    }),
  ),
};
