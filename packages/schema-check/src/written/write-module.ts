import type { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { createAjv, type Dialect } from '../compile-with-ajv.ts'

/** An instance whose validators can be written; patterns run on the language's own engine. */
export function createWritingAjv(
  dialect: Dialect,
  options: { allErrors?: boolean; ownProperties?: boolean } = {},
): Ajv {
  return createAjv(dialect, { ...options, code: { source: true, esm: true } })
}

/** The module of a schema that an instance knows by name; `from` is where it imports what its code calls. */
export function writeModule(ajv: Ajv, name: string, from: string): string {
  const code = standalone
    .default(ajv, { validate: name })
    .replace('"use strict";', '')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePointLength')
    .replaceAll(';const ', ';\nconst ')
  const called = ['codePointLength', 'findSameItems'].filter((each) => code.includes(each))
  return [
    '// Written by Ajv: see writeValidator of @toolblocks/schema-check.',
    ...(called.length > 0 ? [`import { ${called.join(', ')} } from '${from}'`] : []),
    `/** @type {import('${from}').ValidateFunction} */`,
    code,
    '',
  ].join('\n')
}
