import { Injectable } from '@nestjs/common';
import { GroupsReader } from '#areas/groups/groups.reader';
import { EVENT_DEFAULTS } from '#contract/vocabulary';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import type { ApiValues } from '../form/raw-fields';
import type { Member } from '../page.decorators';
import { translator, type TextKey } from '../texts';
import { view, type View } from '../view';
import { NEW_EVENT } from './event.form';

interface NewEvent {
  /** The initial values of fields. All other fields have their defaults. */
  readonly values?: ApiValues;
  /** Remarks by field name. Each remark is shown at the field that the person should check. */
  readonly remarks?: Readonly<Record<string, TextKey>>;
  /** The message above the form. With a message, the page does not offer an import or a series. */
  readonly intro?: string | null;
  readonly refusal?: FormRefusal | null;
}

/** The page with the form of a new event. */
@Injectable()
export class NewEventView {
  constructor(private readonly groups: GroupsReader) {}

  async show(
    member: Member,
    { values = {}, remarks = {}, intro = null, refusal = null }: NewEvent = {},
  ): Promise<View> {
    const groups = await this.groups.joined(member.caller);
    const say = translator(member.locale);
    // The address or the copied event may name a group that the person has left.
    const isOffered = groups.some(({ id }) => id === values['group']);
    return view(
      'event-new',
      {
        title: say('event_new'),
        section: 'new',
        intro,
        formView: formView(NEW_EVENT, member, {
          values: { ...EVENT_DEFAULTS, ...values, group: isOffered ? values['group'] : null },
          remarks,
          key: newKey(),
          choices: {
            group: [{ value: '', text: 'event_group_none' }, ...groups.map(({ id, name }) => ({ value: id, name }))],
          },
          refusal,
        }),
      },
      refusal?.status ?? 200,
    );
  }
}
