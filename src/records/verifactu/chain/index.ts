export { type ChainOptions, verifyChain } from './verify-chain.ts'
