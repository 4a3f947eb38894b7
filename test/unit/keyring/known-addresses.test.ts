import { knownContracts } from '../../../src/eth/known-contracts';
import { createKnownAddresses } from '../../../src/keyring/known-addresses';
import type { KnownAddressServices } from '../../../src/keyring/known-addresses';

const OWN = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const RECIPIENT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const services = {
  repository: { list: () => Promise.resolve([{ address: OWN }]) },
  ledger: { list: () => Promise.resolve([{ to: RECIPIENT }, { to: null }]) },
} as unknown as KnownAddressServices;

const failing = { list: () => Promise.reject(new Error('locked')) };

describe('what addresses are known', () => {
  it("are the user's own, the recipients of what was sent, and well-known contracts", async () => {
    expect(await createKnownAddresses(services)()).toStrictEqual({
      own: [OWN],
      all: [OWN, RECIPIENT, ...knownContracts],
    });
  });

  it('leaves out what cannot be read', async () => {
    const none = { repository: failing, ledger: failing };
    expect(await createKnownAddresses(none)()).toStrictEqual({
      own: [],
      all: knownContracts,
    });
  });
});
