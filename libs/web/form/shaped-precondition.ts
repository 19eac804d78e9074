import { Precondition } from '#platform/http/precondition';

/**
 * The precondition of a form whose fields have other names than the fields of the resource. `shape` converts the
 * resource to the fields of the form.
 */
export class ShapedPrecondition extends Precondition {
  constructor(
    private readonly inner: Precondition,
    private readonly shape: (resource: object) => object,
  ) {
    super(undefined);
  }

  override check(version: number, show: () => object | Promise<object>): Promise<void> {
    return this.inner.check(version, async () => this.shape(await show()));
  }
}
