// eth-sig-util needs Buffer, which pages do not have.
export { Buffer } from 'buffer';
