import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreatePulsDto, PULS_UPLOAD } from '#areas/puls/puls.dto';
import { PulsPublishingService } from '#areas/puls/puls-publishing.service';
import { PulsService } from '#areas/puls/puls.service';
import type { PulsResource } from '#areas/puls/puls.resource';
import { PULS_TAGS } from '#contract/vocabulary';
import { PulsIdPipe } from '#platform/http/public-ids';
import { FormRunner } from '../form/form-runner';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView } from '../form/form-view';
import { COORDINATES, area, files, place, formPlan, text } from '../form/plan';
import { SentForm } from '../form/sent-form';
import type { FormValues } from '../forms';
import { localPath } from '../local-path';
import { ActingPageController, CheckForm, CurrentMember, FormFields, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator, type Translate } from '../texts';
import { view, type View } from '../view';

/** The form of /puls/new. */
const PULS_FORM = formPlan('puls', {
  fields: [
    area('body', 'puls_body', { tags: PULS_TAGS }),
    files('image', 'puls_image', { hint: 'puls_image_hint' }),
    files('video', 'puls_video', { hint: 'puls_video_hint', accept: 'video/*' }),
    text('location_name', 'location_name'),
    place('puls_place_hint'),
  ],
  more: COORDINATES,
});

/** /puls/new shows a form for a new Puls post, and the member's active Puls posts, which the member can delete. */
@ActingPageController()
export class PulsFormPages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly puls: PulsService,
    private readonly publishing: PulsPublishingService,
  ) {}

  @Get('puls/new')
  blank(@CurrentMember() member: Member): Promise<View> {
    return this.show(member);
  }

  @Post('puls/new')
  @CheckForm({ plan: PULS_FORM, files: PULS_UPLOAD.files })
  publish(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(PULS_FORM, CreatePulsDto, raw, member);
        const post = await this.publishing.createFrom(member.caller, { read: () => form.read(), file: () => null });
        return redirectToFeedAround(post);
      },
      actionWithFiles: async (raw, file) => {
        const form = await SentForm.ofSent(PULS_FORM, CreatePulsDto, raw, member);
        return redirectToFeedAround(await this.publishing.createFrom(member.caller, { read: () => form.read(), file }));
      },
      show: (refusal) => this.show(member, refusal),
    });
  }

  /** `next`: the path of the list that contained the post; missing on /puls/new. */
  @Post('puls/:id/delete')
  @CheckForm()
  async remove(
    @CurrentMember() { caller }: Member,
    @Param('id', PulsIdPipe) pulsId: number,
    @FormFields() { next }: FormValues,
  ): Promise<Redirect> {
    await this.puls.remove(caller, pulsId);
    return redirectTo(localPath(next) ?? '/puls/new', 'puls_deleted');
  }

  private async show(member: Member, refusal: FormRefusal | null = null): Promise<View> {
    const say = translator(member.locale);
    const { items } = await this.puls.ownPosts(member.caller, {});
    const shownRefusal =
      refusal?.code === 'paid_post_unsupported'
        ? { ...refusal, text: say('puls_one') }
        : refusal && withMissingContent(refusal, say);
    const content = {
      title: say('puls_new'),
      section: 'puls',
      posts: items,
      action: '/puls/new',
      submit: say('puls_send'),
      formView: formView(PULS_FORM, member, { key: newKey(), refusal: shownRefusal }),
    } as const;
    return view('puls-new', content, refusal?.status);
  }
}

/** After publishing, the author sees the new post among the posts around its place. */
function redirectToFeedAround({ latitude, longitude }: PulsResource): Redirect {
  return redirectTo(`/puls?lat=${latitude}&lng=${longitude}`, 'puls_added');
}

/** Adds the error of an empty post to the field `body`, so that people see this error together with other errors. */
function withMissingContent(refusal: FormRefusal, say: Translate): FormRefusal {
  const { code, hadFiles, raw, errors } = refusal;
  const isBlank = !hadFiles && (raw['body']?.[0] ?? '').trim() === '';
  if (code !== 'post_empty' && !(code === 'validation_failed' && isBlank)) return refusal;
  const body = [{ key: 'one_required', values: { fields: 'body, image, video' } }] as const;
  return { ...refusal, text: say('form_check'), errors: { ...errors, body } };
}
