// What is said of calls and typed data, and how loudly: a row for each kind that there is.
import type { CallAlert } from '../../../../src/eth/alerts';
import type { ToldShape, TypedAlert } from '../../../../src/eth/typed-alerts';
import { writeCallAlert } from '../../../../src/ui/confirm/call-alerts';
import { writeTypedAlert } from '../../../../src/ui/confirm/typed-notices';
import { toShownTime } from '../../../../src/ui/format';
import { danger, info, warning } from '../../../../src/ui/notice';
import type { Notice } from '../../../../src/ui/notice';
import { listAlertRows } from '../../../support/alert-rows';
import { textOf, translate } from '../../../support/view';

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const USDC_OF_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

const TIME = 1_700_000_000_000;

const shownTime = toShownTime(TIME, translate);

const calls = listAlertRows<CallAlert>({
  unlimited: [
    { spender: ADDRESS, token: USDC_OF_POLYGON },
    warning(textOf('alert.unlimited', { spender: ADDRESS, token: 'USDC' })),
  ],
  noExpiry: [{}, warning(textOf('typed.noDeadline'))],
  spenderNoCode: [
    { spender: ADDRESS },
    danger(textOf('typed.spenderNoCode', { address: ADDRESS })),
  ],
  operator: [
    { operator: ADDRESS },
    danger(textOf('alert.operator', { operator: ADDRESS })),
  ],
  creationValue: [
    { value: 10n ** 18n },
    warning(textOf('alert.creationValue', { value: '1 POL' })),
  ],
  nobody: [{ value: 10n ** 18n }, danger(textOf('alert.nobody', { value: '1 POL' }))],
  noContract: [
    { address: ADDRESS },
    warning(textOf('alert.noContract', { address: ADDRESS })),
  ],
  tokensToNobody: [{}, danger(textOf('alert.tokensToNobody'))],
  tokensToContract: [{}, danger(textOf('alert.tokensToContract'))],
  othersTokens: [
    { owner: ADDRESS },
    warning(textOf('alert.othersTokens', { owner: ADDRESS })),
  ],
  delegation: [{ delegates: [ADDRESS] }, danger(textOf('warning.authorizations'))],
  revocation: [{}, info(textOf('alert.revocation'))],
  control: [
    { signature: 'setOwner(address)' },
    warning(textOf('alert.control', { function: 'setOwner(address)' })),
  ],
  unread: [
    { signature: 'multicall(bytes[])' },
    warning(textOf('alert.unread', { function: 'multicall(bytes[])' })),
  ],
  ownData: [{}, warning(textOf('alert.ownData'))],
});

const typed = listAlertRows<TypedAlert>({
  operation: [
    { account: ADDRESS },
    danger(textOf('disguise.ownOperation', { account: ADDRESS })),
  ],
  operationHash: [
    { account: ADDRESS },
    danger(textOf('disguise.operationHash', { account: ADDRESS })),
  ],
  authorization: [
    { address: ADDRESS },
    danger(textOf('disguise.authorization', { address: ADDRESS })),
  ],
  shape: [{ shape: 'permit', parties: [ADDRESS] }, info(textOf('shape.permit'))],
  unlimited: [{}, warning(textOf('typed.unlimited'))],
  farDeadline: [
    { time: TIME },
    warning(textOf('typed.farDeadline', { time: shownTime })),
  ],
  everyChain: [{}, warning(textOf('typed.everyChain'))],
  foreignChain: [
    { chainId: 137n },
    danger(textOf('typed.foreignChain', { chain: 'Polygon (eip155:137)' })),
  ],
  noContract: [{ isKnown: true }, warning(textOf('warning.domain'))],
  zeroContract: [{ isKnown: true }, warning(textOf('typed.zeroContract'))],
  ownContract: [
    { address: ADDRESS },
    danger(textOf('typed.ownContract', { address: ADDRESS })),
  ],
  noCode: [{ address: ADDRESS }, warning(textOf('typed.noCode', { address: ADDRESS }))],
  spenderNoCode: [
    { address: ADDRESS },
    danger(textOf('typed.spenderNoCode', { address: ADDRESS })),
  ],
  otherOwner: [
    { address: ADDRESS },
    warning(textOf('typed.otherOwner', { address: ADDRESS })),
  ],
  delegateCall: [{}, danger(textOf('typed.delegateCall'))],
  control: [
    { signature: 'setGuard(address)' },
    danger(textOf('typed.control', { signature: 'setGuard(address)' })),
  ],
  innerCall: [
    { signature: 'transfer(address,uint256)' },
    danger(textOf('typed.innerCall', { signature: 'transfer(address,uint256)' })),
  ],
  unrestricted: [{}, danger(textOf('typed.unrestricted'))],
  signInDomain: [
    { domain: 'bank.example' },
    danger(textOf('typed.signInDomain', { domain: 'bank.example' })),
  ],
  nothingInReturn: [{}, danger(textOf('typed.nothingInReturn'))],
  hiddenOrders: [{}, warning(textOf('typed.hiddenOrders'))],
  otherReceiver: [
    { address: ADDRESS },
    danger(textOf('typed.otherReceiver', { address: ADDRESS })),
  ],
});

const shapes: Record<ToldShape, Notice> = {
  permit: info(textOf('shape.permit')),
  daiPermit: info(textOf('shape.permit')),
  nftPermit: info(textOf('shape.nftPermit')),
  permit2Allowance: info(textOf('shape.permit2Allowance')),
  permit2Transfer: info(textOf('shape.permit2Transfer')),
  sale: info(textOf('shape.sale')),
  order: info(textOf('shape.order')),
  transfer: info(textOf('shape.transfer')),
  safeTransaction: info(textOf('shape.safeTransaction')),
  safeMessage: info(textOf('shape.safeMessage')),
  delegation: warning(textOf('shape.delegation')),
  voteDelegation: info(textOf('shape.voteDelegation')),
  metaTransaction: info(textOf('shape.metaTransaction')),
  signIn: info(textOf('shape.signIn')),
};

describe('what is said of a call', () => {
  it.each(calls)('is as loud as it deserves: %s', (_kind, alert, said) => {
    expect(writeCallAlert(alert, translate, 'eip155:137')).toStrictEqual(said);
  });

  it('is less of data alone that go to nobody', () => {
    const alert = { kind: 'nobody', value: 0n } as const;
    const said = warning(textOf('alert.dataToNobody'));
    expect(writeCallAlert(alert, translate)).toStrictEqual(said);
  });
});

describe('what is said of typed data', () => {
  it.each(typed)('is as loud as it deserves: %s', (_kind, alert, said) => {
    expect(writeTypedAlert(alert, translate)).toStrictEqual(said);
  });

  it.each(Object.entries(shapes))('names what they allow: %s', (shape, said) => {
    const alert = { kind: 'shape', shape: shape as ToldShape, parties: [] } as const;
    expect(writeTypedAlert(alert, translate)).toStrictEqual(said);
  });

  it('is less of data that are of no known shape and for no contract', () => {
    const write = (kind: 'noContract' | 'zeroContract'): Notice =>
      writeTypedAlert({ kind, isKnown: false }, translate);
    expect(write('noContract')).toStrictEqual(info(textOf('warning.domain')));
    expect(write('zeroContract')).toStrictEqual(info(textOf('typed.zeroContract')));
  });

  it('is that they never end', () => {
    const alert = { kind: 'farDeadline', time: undefined } as const;
    const said = warning(textOf('typed.noDeadline'));
    expect(writeTypedAlert(alert, translate)).toStrictEqual(said);
  });
});
