import type { JsonSchema, JsonValue } from '@toolblocks/protocol'
import type { Page } from 'playwright-core'

/** The schema of a form with a field of every kind. */
export const BOAT_FORM: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name of the boat', minLength: 2 },
    berth: { type: 'integer', minimum: 1, description: 'A number on the pier.' },
    size: {
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    extras: { type: 'array', items: { enum: ['water', 'power', 'crane'] } },
    notes: { type: 'array', items: { type: 'string' } },
    paid: { type: 'boolean' },
  },
  required: ['name', 'size', 'paid'],
}

/** Fills in the form and sends it with the keyboard alone. Returns the answer. */
export async function sendBoatForm(page: Page): Promise<JsonValue> {
  const { keyboard } = page
  await page.getByLabel('Name of the boat').focus()
  await keyboard.type('Ada')
  await keyboard.press('Tab')
  await keyboard.type('7')
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('left side\n\nblue')
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Enter')
  return {
    name: 'Ada',
    berth: 7,
    size: 'l',
    extras: ['water'],
    notes: ['left side', 'blue'],
    paid: true,
  }
}
