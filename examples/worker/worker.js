// The whole service. With options: export default createHandler({ basePath: '/api/v1.1' }), see docs/edge.md.
export { default } from 'cuadra/edge'
