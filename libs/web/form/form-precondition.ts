import { Precondition } from '#platform/http/precondition';
import { Refusal } from '#platform/http/refusal';
import { isSameField } from './as-shown';
import type { FieldPlan, FormPlan } from './plan';
import { rawOf, type ApiValues, type FormReader, type RawFields } from './raw-fields';
import { NO_OBJECT, type Shown } from './shown';

export type ValuesOf = (object: object) => ApiValues;

/** A field whose stored value has changed since the form was shown. */
export interface Conflict {
  readonly field: FieldPlan;
  readonly shown: unknown;
  readonly current: unknown;
}

/** The refusal 412 of a form: the stored value of a sent field was changed after the form was shown. */
export class FormConflict extends Refusal {
  constructor(
    readonly conflicts: readonly Conflict[],
    /** The current values of the object; empty if the object has been deleted. */
    readonly current: ApiValues,
    readonly version: number,
  ) {
    super('precondition_failed');
  }
}

/**
 * The precondition of a form (PAGE-97). There is a conflict only if the form sends a field whose stored value has
 * changed.
 */
export class FormPrecondition extends Precondition {
  constructor(
    private readonly plan: FormPlan,
    private readonly raw: RawFields,
    private readonly shown: Shown | null,
    private readonly reader: FormReader,
    private readonly valuesOf: ValuesOf,
  ) {
    super(undefined);
  }

  override async check(version: number, show: () => object | Promise<object>): Promise<void> {
    const { shown } = this;
    if (!shown || shown.version === version) return;
    this.compare(shown, this.valuesOf(await show()), version);
  }

  /** Called if there is no object. If the form showed an object, this object was deleted in the meantime. */
  override checkAbsent(): void {
    const { shown } = this;
    if (shown && shown.version !== NO_OBJECT) this.compare(shown, {}, NO_OBJECT);
  }

  /** For an object without a version: compares the values themselves. */
  checkValues(current: ApiValues): void {
    if (this.shown) this.compare(this.shown, current, this.shown.version);
  }

  private compare(shown: Shown, current: ApiValues, version: number): void {
    const { reader } = this;
    const conflicts = this.plan.fields
      .filter((field) => field.as !== 'files' && field.as !== 'place' && this.isSent(field))
      .map((field) => ({ field, shown: shown.values[field.name], current: current[field.name] }))
      .filter(
        (one) =>
          !isSameField(one.field, rawOf(one.field, one.shown, reader), rawOf(one.field, one.current ?? null, reader)),
      );
    if (conflicts.length > 0) throw new FormConflict(conflicts, current, version);
  }

  /**
   * Browsers send no field for unticked boxes, and no field with the name of a list of rows. These types of fields
   * therefore always count as sent.
   */
  private isSent({ as, name }: FieldPlan): boolean {
    return as === 'check' || as === 'choices' || as === 'rows' || name in this.raw;
  }
}
