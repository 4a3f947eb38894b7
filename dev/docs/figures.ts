// Writes the documentation's limits and other numbers, which come from the code.
import { readdirSync, readFileSync } from 'node:fs';

import { MAX_WAITING } from '../../src/accounts/requests';
import { ENTRIES_PER_LOOKUP } from '../../src/calls/status';
import { OPTIONAL_MS } from '../../src/chains/chain';
import { SOCKET_MS } from '../../src/chains/live-chains';
import { WAIT_MS as WAIT } from '../../src/chains/servers';
import { MAX_REQUEST } from '../../src/entry-points';
import { MAX_ITEMS } from '../../src/eth/abi';
import { MAX_BYTES } from '../../src/eth/hex';
import { MAX_MESSAGE_BYTES } from '../../src/eth/message';
import { MAX_CHARACTERS, MAX_VALUES } from '../../src/eth/typed-data';
import { MAX_CONTRACTS } from '../../src/review/ask';
import {
  MAX_DESCRIBED_CALLS as MAX_DESCRIBED,
  MAX_FIELDS,
} from '../../src/review/describe/describe';
import { MAX_ASSETS } from '../../src/review/documents';
import { MAX_TRIED_CALLS } from '../../src/review/facts';
import { MAX_LOOK_ALIKES } from '../../src/review/findings';
import { MAX_WARNINGS } from '../../src/review/messages';
import { MAX_LISTED_ADDRESSES } from '../../src/review/outcome';
import {
  MAX_BYTES as MAX_READ,
  MAX_READ_CALLS,
  MAX_DEPTH,
  MAX_EMBEDDED,
} from '../../src/review/read';
import { MAX_ALLOWANCES } from '../../src/review/screen/changes';
import { MAX_ARRIVALS, MAX_LISTED } from '../../src/review/simulate';
import {
  LIMITS as DIALOGS,
  REFUSALS_BEFORE_WAIT,
  VIEWS,
  WAIT_MS,
} from '../../src/sites/consent';
import { LIMITS as REQUESTS, WINDOW_MS } from '../../src/sites/rate-limit';
import { MAX_NUMBERED } from '../../src/ui/warnings';
import { ceilings } from '../build/size';
import { toTable } from './tables';

const toShown = (count: number): string => count.toLocaleString('en');
const inSeconds = (ms: number): string => `${toShown(ms / 1000)} s`;
const inMinutes = (ms: number): string => `${toShown(ms / 60_000)} min`;

function toLimits(limits: Record<string, string>): string {
  return toTable(['What', 'Limit'], Object.entries(limits));
}

export function writeLimits(): string {
  return toLimits({
    'Look-ups by a site': `${REQUESTS.read} in ${inSeconds(WINDOW_MS)}. ${ENTRIES_PER_LOOKUP} batch entries that are looked up at servers count as one more.`,
    'Requests of a site to fill, sign or send': `${REQUESTS.sign} in ${inSeconds(WINDOW_MS)}. Each call, intent or contract that is looked up counts as one more.`,
    'Open dialogs': `${DIALOGS.origin} for a site, ${DIALOGS.all} for all sites.`,
    [`Dialogs after a site was refused ${REFUSALS_BEFORE_WAIT} times in a row`]: `None for ${inSeconds(WAIT_MS.first)}. Each further refusal doubles the wait, up to ${inMinutes(WAIT_MS.longest)}. An approval ends it.`,
    'Status views that a site opens (`wallet_showCallsStatus`)': `One at a time, ${VIEWS.count} in ${inSeconds(VIEWS.windowMs)}.`,
    'Params of a request': `${toShown(MAX_REQUEST)} characters.`,
    Message: `${toShown(MAX_MESSAGE_BYTES)} bytes.`,
    Calldata: `${toShown(MAX_BYTES)} bytes.`,
    'Typed data': `${toShown(MAX_VALUES)} values and ${toShown(MAX_CHARACTERS)} characters.`,
    'Requests from MetaMask that wait for approval': `${MAX_WAITING}.`,
  });
}

export function writeReviewLimits(): string {
  const danger = (words: string): string => `A danger ${words}.`;
  const rows: [what: string, limit: number, above: string][] = [
    [
      'Calls of a request, including nested ones',
      MAX_READ_CALLS,
      danger('says that there are more'),
    ],
    ['Bytes of all these calls', MAX_READ, danger('says that there are more')],
    ['Levels of nested calls', MAX_DEPTH, danger('says that there are more')],
    [
      'Items of a list in calldata',
      MAX_ITEMS,
      danger('says that the calls cannot be decoded'),
    ],
    [
      'Known calls in the bytes of an unknown function',
      MAX_EMBEDDED,
      danger('says that there are more'),
    ],
    [
      'Addresses whose code is read, those with most at stake first',
      MAX_CONTRACTS,
      danger('counts the others'),
    ],
    [
      'Tokens whose supply and decimals are read',
      MAX_CONTRACTS,
      danger('counts the others'),
    ],
    [
      'Tokens whose balance is read',
      MAX_CONTRACTS,
      'The row with what can be taken now is missing.',
    ],
    [
      'Calls tried in another block',
      MAX_TRIED_CALLS,
      'A notice says that the result depends on the block.',
    ],
    [
      'Addresses that resemble a known one',
      MAX_LOOK_ALIKES,
      danger('counts the other warnings'),
    ],
    ['Warnings about numbered calls', MAX_NUMBERED, danger('counts the others')],
    [
      'Disguises of each kind in a message or document',
      MAX_WARNINGS,
      'The others are not listed: each of the first is a danger.',
    ],
    [
      'Allowances of a call or document with rows of their own',
      MAX_ALLOWANCES,
      danger('names the spenders and assets of the others'),
    ],
    [
      'Losses, approvals and changes of control in a simulation, each',
      MAX_LISTED,
      danger('names the tokens and addresses of the others'),
    ],
    ['Assets received in a simulation', MAX_ARRIVALS, 'A row counts the others.'],
    [
      'Addresses that such a danger names',
      MAX_LISTED_ADDRESSES,
      'It counts the others.',
    ],
    [
      'Calls that are described',
      MAX_DESCRIBED,
      'The others are shown and judged without a description.',
    ],
    [
      'Fields of a description',
      MAX_FIELDS,
      danger('names the addresses in the others'),
    ],
    [
      'Assets of orders that are drawn',
      MAX_ASSETS,
      'The order is shown field by field.',
    ],
  ];
  return toTable(
    ['What', 'At most', 'Above it'],
    rows.map(([what, limit, above]) => [what, toShown(limit), above]),
  );
}

export function writeWaits(): string {
  return toLimits({
    'All servers of a chain together, for one request': `${inSeconds(WAIT)} before the dialog, and ${inSeconds(WAIT)} after it. The error names the server that did not answer.`,
    'Gas API, paymaster': `${inSeconds(OPTIONAL_MS)} of that. After that, the node's fees are used, and the dialog says that the account pays.`,
    "MetaMask's default network, in a list of chains": `${inSeconds(OPTIONAL_MS)} of that. After that, the list omits the network.`,
    WebSocket: `${inSeconds(SOCKET_MS)} of that, then HTTP.`,
    'Another transaction of the account that is being sent': `${inSeconds(WAIT)} more, before anything is signed. The error says so and names no server.`,
    'A background event': `${inSeconds(WAIT)} for each chain; chains are asked at the same time.`,
  });
}

export function writeSizes(): string {
  const inKilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
  const rows = Object.entries(ceilings).map(([name, { raw, gzipped }]) => [
    name,
    inKilobytes(raw),
    inKilobytes(gzipped),
  ]);
  return toTable(['What', 'At most', 'Gzipped'], rows);
}

/** The core must stay small enough to be read completely. */
const MAX_CORE_LINES = 2_000;

/** Throws if the core has too many lines. */
export function writeCoreSize(): string {
  const texts = readdirSync('src/core').map((name) =>
    readFileSync(`src/core/${name}`, 'utf8'),
  );
  const lines = texts.join('').split('\n').length - 1;
  if (lines > MAX_CORE_LINES) {
    throw new Error(
      `src/core has ${lines} lines, which is more than ${MAX_CORE_LINES}. Move out what needs no key.`,
    );
  }
  return `They have ${toShown(lines)} lines in total; the limit is ${toShown(MAX_CORE_LINES)}.`;
}
