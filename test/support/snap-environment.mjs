// MetaMask's environment for Jest, without connections that are kept alive: while a core is busy,
// fetch may take one that the server is about to close.
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ pipelining: 0 }));

// oxlint-disable-next-line import/no-default-export -- The form in which Jest takes it.
export { default } from '@metamask/snaps-jest';
