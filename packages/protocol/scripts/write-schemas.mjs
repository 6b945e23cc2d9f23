// Writes every schema of dist/schemas.js as a JSON Schema file, for users without TypeBox.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as schemas from '../dist/schemas.js'
import { fileName, jsonSchemaDocument } from '../dist/schemas/json-schema-document.js'

const folder = new URL('../schemas/', import.meta.url)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, schema] of Object.entries(schemas)) {
  const title = name.replace(/Schema$/, '')
  const text = JSON.stringify(jsonSchemaDocument(title, schema), null, 2)
  writeFileSync(new URL(`${fileName(title)}.json`, folder), `${text}\n`)
}
