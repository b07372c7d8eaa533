export { vocabulary } from './sii-vocabulary.ts'
