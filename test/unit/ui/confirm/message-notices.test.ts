// What is said of messages, and how loudly: a row for each kind that there is.
import type { MessageAlert } from '../../../../src/eth/message-alerts';
import { writeMessageAlert } from '../../../../src/ui/confirm/message-notices';
import { toShownTime } from '../../../../src/ui/format';
import { danger, warning } from '../../../../src/ui/notice';
import { listAlertRows } from '../../../support/alert-rows';
import { textOf, translate } from '../../../support/view';

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const TIME = 1_700_000_000_000;

const shownTime = toShownTime(TIME, translate);

const messages = listAlertRows<MessageAlert>({
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
  siweMalformed: [{}, danger(textOf('siwe.malformed'))],
  siweDomain: [
    { domain: 'bank.example', origin: 'https://evil.example' },
    danger(
      textOf('siwe.otherDomain', {
        domain: 'bank.example',
        origin: 'https://evil.example',
      }),
    ),
  ],
  siweScheme: [
    { scheme: 'http', origin: 'https://evil.example' },
    danger(textOf('siwe.otherScheme', { scheme: 'http' })),
  ],
  siweAddress: [
    { address: ADDRESS },
    danger(textOf('siwe.otherAddress', { address: ADDRESS })),
  ],
  siweUri: [
    { uri: `https://bank.example/${'x'.repeat(200)}` },
    warning(
      textOf('siwe.otherUri', { uri: `https://bank.example/${'x'.repeat(79)}…` }),
    ),
  ],
  siweChain: [
    { chainId: 137n },
    warning(textOf('siwe.otherChain', { chain: 'Polygon (eip155:137)' })),
  ],
  siweFuture: [{ time: TIME }, warning(textOf('siwe.future', { time: shownTime }))],
  siweExpired: [{ time: TIME }, warning(textOf('siwe.expired', { time: shownTime }))],
  siweNotYet: [{ time: TIME }, warning(textOf('siwe.notYet', { time: shownTime }))],
  hash: [{}, danger(textOf('message.hash'))],
  hashAsText: [{}, warning(textOf('message.hash'))],
  transaction: [{}, danger(textOf('message.transaction'))],
  digest: [{}, danger(textOf('message.digest'))],
});

it('names no account of a user operation of somebody else', () => {
  const alert = { kind: 'operation', account: undefined } as const;
  const said = danger(textOf('disguise.operation'));
  expect(writeMessageAlert(alert, translate)).toStrictEqual(said);
});

describe('what is said of a message', () => {
  it.each(messages)('is as loud as it deserves: %s', (_kind, alert, said) => {
    expect(writeMessageAlert(alert, translate)).toStrictEqual(said);
  });
});
