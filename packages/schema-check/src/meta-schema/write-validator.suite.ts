import type { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { createAjv, type Dialect } from '../compile-with-ajv.ts'

const NAMES: Record<Dialect, string> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
}

/** An instance that knows the meta-schema of a dialect, and stops at its first error. */
export function createMetaAjv(dialect: Dialect): Ajv {
  // The patterns of meta-schemas are few, known and anchored: the language's own engine runs them in linear time.
  return createAjv(dialect, { code: { source: true, esm: true } })
}

/** The module that checks schemas against the meta-schema of a dialect. */
export function writeValidator(dialect: Dialect): string {
  const code = standalone.default(createMetaAjv(dialect), { validate: NAMES[dialect] })
  const head = [
    `// Written by Ajv; see write-validator.test.ts.`,
    `import { findSameItems } from '../keywords/lookup.ts'`,
    `/** @type {import('ajv').ValidateFunction} */`,
  ]
  return [...head, code.replace('"use strict";', '').replaceAll(';const ', ';\nconst '), ''].join(
    '\n',
  )
}
