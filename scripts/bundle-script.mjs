import { rolldown } from 'rolldown'

/**
 * A script for a browser with all that it imports, as a module that exports it as text.
 *
 * @param {string} file
 * @param {string} name What it is exported as.
 */
export async function bundleScript(file, name) {
  const bundle = await rolldown({ input: file, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const text = JSON.stringify(output[0].code.trim())
  return `// Written by the test beside it, from the sources of the script.\n\n/** A script for a browser, to be the text of a \`<script>\` element. */\nexport const ${name} = ${text}\n`
}
