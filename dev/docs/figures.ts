// Figures of the documentation: what the code enforces, so that they stay true.
import { MAX_WAITING } from '../../src/accounts/requests';
import { ENTRIES_PER_UNIT } from '../../src/calls/status';
import { OPTIONAL_MS } from '../../src/chains/chain';
import { SOCKET_MS } from '../../src/chains/live-chains';
import { WAIT_MS as WAIT } from '../../src/chains/servers';
import { MAX_REQUEST } from '../../src/entry-points';
import { MAX_BYTES } from '../../src/eth/hex';
import { MAX_MESSAGE_BYTES } from '../../src/eth/message';
import { MAX_CHARACTERS, MAX_VALUES } from '../../src/eth/typed-data';
import { LIMITS as DIALOGS, PATIENCE, VIEWS, WAIT_MS } from '../../src/sites/consent';
import { LIMITS as REQUESTS, WINDOW_MS } from '../../src/sites/rate-limit';
import { ceilings } from '../build/size';
import { QUICK_SECONDS } from '../test/check';
import { toTable } from './tables';

const toShown = (count: number): string => count.toLocaleString('en');
const inSeconds = (ms: number): string => `${toShown(ms / 1000)} s`;
const inMinutes = (ms: number): string => `${toShown(ms / 60_000)} min`;

function toLimits(limits: Record<string, string>): string {
  return toTable(['What', 'Limit'], Object.entries(limits));
}

export function writeLimits(): string {
  return toLimits({
    'Look-ups of a site': `${REQUESTS.read} in ${inSeconds(WINDOW_MS)}. ${ENTRIES_PER_UNIT} entries of a batch that are looked up at servers count as one more.`,
    'Requests of a site to fill, sign or send': `${REQUESTS.sign} in ${inSeconds(WINDOW_MS)}. Each call, intent or contract that is looked up counts as one more.`,
    'Open dialogs': `${DIALOGS.origin} for a site, ${DIALOGS.all} for all sites.`,
    [`Dialogs after a site was refused ${PATIENCE} times in a row`]: `None for ${inSeconds(WAIT_MS.first)}. Each further refusal doubles the wait, up to ${inMinutes(WAIT_MS.longest)}. An approval ends it.`,
    'Status views that a site opens (`wallet_showCallsStatus`)': `One at a time, ${VIEWS.count} in ${inSeconds(VIEWS.windowMs)}.`,
    'Params of a request': `${toShown(MAX_REQUEST)} characters.`,
    Message: `${toShown(MAX_MESSAGE_BYTES)} bytes.`,
    Calldata: `${toShown(MAX_BYTES)} bytes.`,
    'Typed data': `${toShown(MAX_VALUES)} values and ${toShown(MAX_CHARACTERS)} characters.`,
    'Requests of MetaMask that wait for approval': `${MAX_WAITING}.`,
  });
}

export function writeWaits(): string {
  return toLimits({
    'All servers of a chain together, for one request': `${inSeconds(WAIT)} before the dialog, and ${inSeconds(WAIT)} after it. The error names the server that did not answer.`,
    'Gas API, paymaster': `${inSeconds(OPTIONAL_MS)} of that. The node's fees count then, and the dialog says that the account pays.`,
    "MetaMask's default network, in a list of chains": `${inSeconds(OPTIONAL_MS)} of that. The list goes without it.`,
    WebSocket: `${inSeconds(SOCKET_MS)} of that, then HTTP.`,
    'Another transaction of the account that is sent': `${inSeconds(WAIT)} more, before anything is signed. The error says so and names no server.`,
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

export function writeTestTime(): string {
  return `\`npm test\` runs the quick tests, in at most ${QUICK_SECONDS / 60} minutes on 2 quiet cores. \`npm run test:all\` runs all of them.`;
}
