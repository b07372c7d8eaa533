export * from '../fiscal/literals.ts'
