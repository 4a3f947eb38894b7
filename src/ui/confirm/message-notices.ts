// What is remarkable about a message, in words.
import { isDisguise } from '../../eth/disguises';
import type { DisguiseAlert } from '../../eth/disguises';
import type { MessageAlert } from '../../eth/message-alerts';
import { toShownLine } from '../foreign-text';
import { toShownChain, toShownTime } from '../format';
import type { TextKey, Translate } from '../i18n';
import { danger, warning } from '../notice';
import type { Notice } from '../notice';
import { writeDisguise } from './disguise-notices';

type PlainAlert = Exclude<MessageAlert, DisguiseAlert>;

type Kind = PlainAlert['kind'];

const texts: Record<Kind, TextKey> = {
  siweMalformed: 'siwe.malformed',
  siweDomain: 'siwe.otherDomain',
  siweScheme: 'siwe.otherScheme',
  siweAddress: 'siwe.otherAddress',
  siweUri: 'siwe.otherUri',
  siweChain: 'siwe.otherChain',
  siweFuture: 'siwe.future',
  siweExpired: 'siwe.expired',
  siweNotYet: 'siwe.notYet',
  hash: 'message.hash',
  hashAsText: 'message.hash',
  transaction: 'message.transaction',
  digest: 'message.digest',
};

/** What nobody honest asks for. */
const dangers: readonly Kind[] = [
  'siweMalformed',
  'siweDomain',
  'siweScheme',
  'siweAddress',
  'hash',
  'transaction',
  'digest',
];

/** Write what was found about a message. */
export function writeMessageAlert(alert: MessageAlert, translate: Translate): Notice {
  if (isDisguise(alert)) return writeDisguise(alert, translate);
  const write = dangers.includes(alert.kind) ? danger : warning;
  return write(translate(texts[alert.kind], valuesOf(alert, translate)));
}

function valuesOf(alert: PlainAlert, translate: Translate): Record<string, string> {
  const values: Record<string, string | number | bigint> = alert;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name === 'chainId' ? 'chain' : name,
      writeValue(value, translate),
    ]),
  );
}

// Times are numbers, chain ids bigints.
function writeValue(value: string | number | bigint, translate: Translate): string {
  if (typeof value === 'number') return toShownTime(value, translate);
  if (typeof value === 'bigint') return toShownChain(`eip155:${value}`, translate);
  return toShownLine(value, 100);
}
