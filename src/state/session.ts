// Sessions of the client: numbered, because what MetaMask keeps in its memory (questions to
// its user, requests that wait for an answer) is gone when it has started anew.
import { integerBetween } from '../structs';

/** Number of a session of the client, from 0 on. */
export const SessionStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);
