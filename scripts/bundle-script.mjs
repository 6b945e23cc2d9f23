import { rolldown } from 'rolldown'

/**
 * Bundles a script for a browser with all of its imports, into a module that exports it as text.
 *
 * @param {string} file
 * @param {string} name The name of the export.
 */
export async function bundleScript(file, name) {
  const bundle = await rolldown({ input: file, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const text = JSON.stringify(output[0].code.trim())
  return `// Written by \`pnpm generate\`, from the sources of the script.\n\n/** A script for a browser, to be the text of a \`<script>\` element. */\nexport const ${name} = ${text}\n`
}
