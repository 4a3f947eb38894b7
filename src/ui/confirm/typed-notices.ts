// What is remarkable about typed data, in words.
import { isDisguise } from '../../eth/disguises';
import type { DisguiseAlert } from '../../eth/disguises';
import type { ToldShape, TypedAlert } from '../../eth/typed-alerts';
import { toShownLine } from '../foreign-text';
import { toShownChain, toShownTime } from '../format';
import type { TextKey, Translate } from '../i18n';
import { danger, info, warning } from '../notice';
import type { Notice, Severity } from '../notice';
import { writeDisguise } from './disguise-notices';

type Kind = Exclude<TypedAlert, DisguiseAlert>['kind'];

const consequences: Record<ToldShape, TextKey> = {
  permit: 'shape.permit',
  daiPermit: 'shape.permit',
  nftPermit: 'shape.nftPermit',
  permit2Allowance: 'shape.permit2Allowance',
  permit2Transfer: 'shape.permit2Transfer',
  sale: 'shape.sale',
  order: 'shape.order',
  transfer: 'shape.transfer',
  safeTransaction: 'shape.safeTransaction',
  safeMessage: 'shape.safeMessage',
  delegation: 'shape.delegation',
  voteDelegation: 'shape.voteDelegation',
  metaTransaction: 'shape.metaTransaction',
  signIn: 'shape.signIn',
};

/** What can cost everything, whatever else stands in the document. */
const graveShapes: readonly ToldShape[] = ['delegation'];

const severities: Record<
  Exclude<Kind, 'shape' | 'noContract' | 'zeroContract'>,
  Severity
> = {
  unlimited: 'warning',
  farDeadline: 'warning',
  everyChain: 'warning',
  foreignChain: 'danger',
  ownContract: 'danger',
  noCode: 'warning',
  spenderNoCode: 'danger',
  otherOwner: 'warning',
  delegateCall: 'danger',
  control: 'danger',
  innerCall: 'danger',
  unrestricted: 'danger',
  signInDomain: 'danger',
  nothingInReturn: 'danger',
  hiddenOrders: 'warning',
  otherReceiver: 'danger',
};

const texts: Record<Exclude<Kind, 'shape'>, TextKey> = {
  unlimited: 'typed.unlimited',
  farDeadline: 'typed.farDeadline',
  everyChain: 'typed.everyChain',
  foreignChain: 'typed.foreignChain',
  noContract: 'warning.domain',
  zeroContract: 'typed.zeroContract',
  ownContract: 'typed.ownContract',
  noCode: 'typed.noCode',
  spenderNoCode: 'typed.spenderNoCode',
  otherOwner: 'typed.otherOwner',
  delegateCall: 'typed.delegateCall',
  control: 'typed.control',
  innerCall: 'typed.innerCall',
  unrestricted: 'typed.unrestricted',
  signInDomain: 'typed.signInDomain',
  nothingInReturn: 'typed.nothingInReturn',
  hiddenOrders: 'typed.hiddenOrders',
  otherReceiver: 'typed.otherReceiver',
};

/** Write what was found about typed data. */
export function writeTypedAlert(alert: TypedAlert, translate: Translate): Notice {
  if (isDisguise(alert)) return writeDisguise(alert, translate);
  if (alert.kind === 'shape') {
    const text = translate(consequences[alert.shape]);
    return graveShapes.includes(alert.shape) ? warning(text) : info(text);
  }
  if (alert.kind === 'noContract' || alert.kind === 'zeroContract') {
    const text = translate(texts[alert.kind]);
    return alert.isKnown ? warning(text) : info(text);
  }
  const isForEver = alert.kind === 'farDeadline' && alert.time === undefined;
  const key = isForEver ? 'typed.noDeadline' : texts[alert.kind];
  const write = { danger, warning, info }[severities[alert.kind]];
  return write(translate(key, valuesOf(alert, translate)));
}

function valuesOf(
  alert: Exclude<TypedAlert, DisguiseAlert>,
  translate: Translate,
): Record<string, string> {
  const { time, chainId, ...rest } = alert as {
    time?: number;
    chainId?: bigint;
    address?: string;
    signature?: string;
    domain?: string;
  };
  const { address = '', signature = '', domain = '' } = rest;
  return {
    address,
    signature,
    domain: toShownLine(domain, 100),
    time: time === undefined ? '' : toShownTime(time, translate),
    chain: chainId === undefined ? '' : toShownChain(`eip155:${chainId}`, translate),
  };
}
