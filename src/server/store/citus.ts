/**
 * Distributes PostgreSQL with Citus: one shard per company (docs/scaling.md). Run these statements once, after the
 * migrations, on an empty database. Every key begins with `company_id`, so every statement of the application goes to
 * one shard.
 */
import { COMPANY_TABLES, REFERENCE_TABLES } from './tables.ts'

const [FIRST = 'companies', ...OTHERS] = COMPANY_TABLES

/** The statements, in the order in which they run. */
export const CITUS: readonly string[] = [
  'create extension if not exists citus',
  ...REFERENCE_TABLES.map((table) => `select create_reference_table('${table}')`),
  `select create_distributed_table('${FIRST}', 'company_id')`,
  ...OTHERS.map(
    (table) => `select create_distributed_table('${table}', 'company_id', colocate_with => '${FIRST}')`,
  ),
]
