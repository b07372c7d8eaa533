export { Shares } from './shares.ts'
export { type Client, createTurns, type NoTurnReason, type Turn } from './turns.ts'
