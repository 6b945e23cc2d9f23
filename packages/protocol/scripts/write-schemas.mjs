// Writes every schema of src/schemas as a JSON Schema file.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as schemas from '../src/schemas/schemas.support.ts'
import { fileName, jsonSchemaDocument } from '../src/schemas/json-schema-document.support.ts'

const folder = new URL('../schemas/', import.meta.url)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, schema] of Object.entries(schemas)) {
  const title = name.replace(/Schema$/, '')
  const text = JSON.stringify(jsonSchemaDocument(title, schema), null, 2)
  writeFileSync(new URL(`${fileName(title)}.json`, folder), `${text}\n`)
}
