import { Precondition } from '#platform/http/precondition';

/** A form's precondition for an object whose resource has another name for a field than the form. */
export class ShapedPrecondition extends Precondition {
  constructor(
    private readonly inner: Precondition,
    private readonly shape: (resource: object) => object,
  ) {
    super(undefined);
  }

  override judge(version: number, show: () => object | Promise<object>): Promise<void> {
    return this.inner.judge(version, async () => this.shape(await show()));
  }
}
