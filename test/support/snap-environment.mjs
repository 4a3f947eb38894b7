// The environment of snaps-jest, without keep-alive connections: on a busy core, fetch may reuse a
// connection that the server is about to close.
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ pipelining: 0 }));

// oxlint-disable-next-line import/no-default-export -- The form in which Jest takes it.
export { default } from '@metamask/snaps-jest';
