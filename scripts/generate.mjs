// Writes the sources that are generated: the table of registered types, the scripts of pages, and validators of schemas.
//   node scripts/generate.mjs [--check]   --check changes nothing, and ends with 1 if a file is not what would be written
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configurationSchema } from '../apps/reference-host/src/workspace/configuration/configuration-schema.ts'
import { userSettingsSchema } from '../apps/reference-host/src/workspace/configuration/user-settings-schema.ts'
import { formatRegisteredTypes } from '../packages/media-type/scripts/format-registered-types.ts'
import {
  createGeneratorAjv,
  generateModule,
  generateValidator,
} from '../packages/schema-check/src/generate.ts'
import { bundleScript } from './bundle-script.mjs'

const root = resolve(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')

/** The validator of a version of JSON Schema, which checks schemas. */
const generateDialect = (dialect, name) =>
  generateModule(createGeneratorAjv(dialect), name, './called-by-validators.ts')

const CONFIGURATION = 'apps/reference-host/src/workspace/configuration'
const FILES = {
  'packages/media-type/src/registered-types.ts': formatRegisteredTypes,
  'packages/renderer/src/html/page-script.js': () =>
    bundleScript(join(root, 'packages/renderer/browser/page.ts'), 'PAGE_SCRIPT'),
  'packages/viewer/src/pages/view-script.js': () =>
    bundleScript(join(root, 'packages/viewer/browser/view.ts'), 'VIEW_SCRIPT'),
  'packages/schema-check/src/ajv/validate-2020-12.js': () =>
    generateDialect('2020-12', 'https://json-schema.org/draft/2020-12/schema'),
  'packages/schema-check/src/ajv/validate-draft-07.js': () =>
    generateDialect('draft-07', 'http://json-schema.org/draft-07/schema'),
  [`${CONFIGURATION}/validate-configuration.js`]: () => generateValidator(configurationSchema),
  [`${CONFIGURATION}/validate-user-settings.js`]: () => generateValidator(userSettingsSchema),
}

const changed = []
for (const [file, generate] of Object.entries(FILES)) {
  const path = join(root, file)
  const text = await generate()
  if (readFileSync(path, 'utf8') === text) continue
  changed.push(file)
  if (!isCheck) writeFileSync(path, text)
}
for (const file of changed)
  console.log(isCheck ? `✗ ${file} is not what pnpm generate writes: run it` : `wrote ${file}`)
console.log(`${Object.keys(FILES).length} files, ${changed.length} changed`)
process.exitCode = isCheck && changed.length > 0 ? 1 : 0
