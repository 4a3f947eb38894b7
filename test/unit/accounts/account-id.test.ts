import { deriveAccountId } from '../../../src/accounts/account-id';
import type { AccountIdentity } from '../../../src/accounts/account-id';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const eoa = { type: 'eip155:eoa', address: ADDRESS } as const;

const smart = {
  type: 'eip155:erc4337',
  address: ADDRESS,
  owner: OTHER,
  entryPoint: '0.6',
  factory: OTHER,
  salt: '0x0',
} as const;

const variants: AccountIdentity[] = [
  eoa,
  { ...eoa, address: OTHER },
  smart,
  { ...smart, address: OTHER },
  { ...smart, owner: ADDRESS },
  { ...smart, entryPoint: '0.7' },
  { ...smart, entryPoint: '0.8' },
  { ...smart, factory: ADDRESS },
  { ...smart, salt: '0x1' },
];

describe('deriveAccountId', () => {
  // These are in MetaMask's storage and in users' grants: they must never change.
  it('gives an EOA the id that it had in the first release', () => {
    expect(deriveAccountId(eoa)).toBe('6404510c-e9ff-48e2-b0aa-1a47c6af07d9');
  });

  it('gives a smart account the id that it had in the first release', () => {
    expect(deriveAccountId(smart)).toBe('9c190a38-8a7c-4f84-a390-53cd8b5f758b');
  });

  it('makes valid UUIDs of version 4', () => {
    for (const identity of variants) {
      expect(deriveAccountId(identity)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
      );
    }
  });

  it('makes another id of each parameter that differs', () => {
    const ids = variants.map(deriveAccountId);
    expect(new Set(ids).size).toBe(variants.length);
  });

  it('makes the same id again, whatever the case of the addresses', () => {
    const upper = ADDRESS.toUpperCase().replace('0X', '0x') as typeof ADDRESS;
    expect(deriveAccountId({ ...smart, address: upper })).toBe(deriveAccountId(smart));
  });
});
