export { summaryText } from './summary-text.ts'
export { fileNameOf, workbookOf } from './workbook.ts'
