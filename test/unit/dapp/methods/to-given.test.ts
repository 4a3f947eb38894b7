import { toGiven } from '../../../../dev/dapp/methods/to-given';
import type { GivenSession, OwnAccount } from '../../../../dev/dapp/methods/to-given';

const ordinary: OwnAccount = {
  id: 'a',
  type: 'eip155:eoa',
  address: '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  options: {},
};

const other = {
  ...ordinary,
  id: 'b',
  address: '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
};

const smart: OwnAccount = {
  id: 'c',
  type: 'eip155:erc4337',
  address: '0xcccccccccccccccccccccccccccccccccccccccc',
  options: { owner: ordinary.address, entryPoint: '0.8' },
};

const session: GivenSession = {
  config: { snapId: 'npm:tollkeeper-snap' },
  accounts: [ordinary, other, smart],
  granted: [other.address.replace('bb', 'BB'), smart.address],
  selected: smart,
  chainId: '0x1',
};

it('gives the accounts that were granted, the chosen one before others', () => {
  expect(toGiven(session, { callsId: 'x' })).toStrictEqual({
    callsId: 'x',
    snapId: 'npm:tollkeeper-snap',
    recipient: '0x000000000000000000000000000000000000dEaD',
    chainId: '0x1',
    ordinary: other.address,
    smart: { address: smart.address, owner: ordinary.address, entryPoint: '0.8' },
    account: smart.address,
  });
});

it('gives no account that was not granted', () => {
  const none = { ...session, granted: [] };
  expect(toGiven(none, {})).toMatchObject({
    ordinary: undefined,
    smart: undefined,
    account: undefined,
  });
});

it('pays whom the page is configured for', () => {
  const config = { ...session.config, recipient: '0x01' };
  expect(toGiven({ ...session, config }, {}).recipient).toBe('0x01');
});

it('takes no smart account whose EntryPoint is unknown', () => {
  const strange = { ...smart, options: { ...smart.options, entryPoint: '0.9' } };
  const own = { ...session, accounts: [strange], selected: strange };
  expect(toGiven(own, {}).smart).toBeUndefined();
});
